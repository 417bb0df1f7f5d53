"""`arena serve` as a process: how it begins, how it ends, and when it refuses to."""

from __future__ import annotations

import asyncio
import json
import signal
import socket
import ssl
import stat
import subprocess
import time
import urllib.error
import urllib.request
from pathlib import Path

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc
from sqlalchemy import URL, create_engine, text

from arena.app import accounts
from arenabot.v1 import arena_pb2 as pb
from tests.integration.server.calling import Caller, refused
from tests.integration.server.process import SLOW, refused_to_serve, serving
from tests.services import missing

# Each test starts programs, on a machine that may have much else to do.
pytestmark = pytest.mark.timeout(300)


def get(url: str, context: ssl.SSLContext | None = None) -> tuple[int, str]:
    """What HTTP answers."""
    try:
        with urllib.request.urlopen(url, timeout=30, context=context) as answer:  # noqa: S310
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode()


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """Where the served store lies."""
    return tmp_path / "home"


async def test_the_first_start_makes_this_machines_admin(home: Path) -> None:
    """Its token is told once, on standard error, and kept for the local user alone."""
    with serving(home, program=SLOW) as server:
        secret = accounts.local_token(home)
        assert secret is not None
        assert server.log.read_text().count(secret) == 1
        assert stat.S_IMODE((home / "token").stat().st_mode) == 0o600
        async with grpc.aio.insecure_channel(server.target) as channel:
            known = await Caller(channel, secret).admin.WhoAmI(pb.WhoAmIRequest())
        assert (known.author.name, known.author.role) == ("local", pb.ROLE_ADMIN)
        server.stop()
        assert server.ended() == 0
    with serving(home, program=SLOW) as server:
        assert server.log.read_text().count("arena_") == 1
        assert accounts.local_token(home) == secret


async def test_a_served_arena_is_found_ready(home: Path, engine: object) -> None:
    """By HTTP and by gRPC's own health service, of the whole and of each service."""
    with serving(home) as server:
        assert await asyncio.to_thread(get, f"{server.web}/healthz") == (200, "alive\n")
        assert await asyncio.to_thread(get, f"{server.web}/readyz") == (200, "ready\n")
        async with grpc.aio.insecure_channel(server.target) as channel:
            health = health_pb2_grpc.HealthStub(channel)
            for service in ("", "arenabot.v1.BotService", "arenabot.v1.AdminService"):
                said = await health.Check(health_pb2.HealthCheckRequest(service=service))
                assert said.status == health_pb2.HealthCheckResponse.SERVING
            status = await Caller(channel).admin.GetStatus(pb.GetStatusRequest())
        assert status.status.games == ["claims", "claim", "claro"]
        assert not status.status.draining
        code, counted = await asyncio.to_thread(get, f"{server.web}/metrics")
        assert code == 200
        assert 'arena_calls_total{code="OK",method="AdminService/GetStatus"} 1.0' in counted
        server.stop()
        assert server.ended() == 0


async def test_without_a_container_engine_it_is_not_ready(home: Path) -> None:
    """But it lives, and says what is away."""
    nowhere = "unix:///nonexistent/docker.sock"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DOCKER_HOST", nowhere)
        with serving(home, program=SLOW) as server:
            assert await asyncio.to_thread(get, f"{server.web}/healthz") == (200, "alive\n")
            assert await asyncio.to_thread(get, f"{server.web}/readyz") == (
                503,
                "the container engine is away\n",
            )
            async with grpc.aio.insecure_channel(server.target) as channel:
                said = await health_pb2_grpc.HealthStub(channel).Check(
                    health_pb2.HealthCheckRequest()
                )
            assert said.status == health_pb2.HealthCheckResponse.NOT_SERVING


async def test_draining_is_not_ready(home: Path, engine: object) -> None:
    """Whoever sends callers here sends them elsewhere; those who come are still answered."""
    with serving(home, program=SLOW) as server:
        async with grpc.aio.insecure_channel(server.target) as channel:
            admin = Caller(channel, accounts.local_token(home)).admin
            drained = await admin.Drain(pb.DrainRequest(drain=True))
            assert drained.status.draining
            assert await asyncio.to_thread(get, f"{server.web}/readyz") == (503, "draining\n")
            resumed = await admin.Drain(pb.DrainRequest(drain=False))
            assert not resumed.status.draining
            assert await asyncio.to_thread(get, f"{server.web}/readyz") == (200, "ready\n")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_a_signal_lets_what_runs_end(home: Path, number: signal.Signals) -> None:
    """Within the bound; meanwhile nothing new is begun, and whoever calls is told so."""
    with serving(home, program=SLOW, drain_seconds="3") as server:
        async with grpc.aio.insecure_channel(server.target) as channel:
            caller = Caller(channel)
            await caller.admin.GetStatus(pb.GetStatusRequest())
            began = time.monotonic()
            server.stop(number)
            await _until_refused(caller)
            assert server.process.poll() is None
            assert (await asyncio.to_thread(get, f"{server.web}/readyz")) == (503, "stopping\n")
        assert await asyncio.to_thread(server.ended) == 0
        assert time.monotonic() - began >= 3


async def _until_refused(caller: Caller) -> None:
    """Call until that is refused since the server stops."""
    async with asyncio.timeout(60):
        with refused(pb.REASON_DRAINING):
            while True:
                await caller.admin.GetStatus(pb.GetStatusRequest())
                await asyncio.sleep(0.05)


def test_a_second_signal_ends_it_at_once(home: Path) -> None:
    """Long before the bound."""
    with serving(home, program=SLOW, drain_seconds="3600") as server:
        server.stop()
        with pytest.raises(subprocess.TimeoutExpired):
            server.ended(2)
        server.stop()
        assert server.ended() == 0


def test_two_servers_never_have_one_store(home: Path) -> None:
    """The second one says who has it."""
    with serving(home, program=SLOW) as server:
        code, said = refused_to_serve(home)
        assert code == 1
        assert said.startswith("arena: the store at")
        assert str(server.process.pid) in said


def test_a_server_whose_lock_is_lost_ends(home: Path, postgres_url: URL) -> None:
    """It may not go on, since another one may have begun; what it says tells why."""
    database = postgres_url.render_as_string(hide_password=False)
    with serving(home, program=SLOW, database=database, drain_seconds="3600") as server:
        engine = create_engine(postgres_url)
        with engine.begin() as connection:
            connection.execute(
                text(
                    "SELECT pg_terminate_backend(pid) FROM pg_locks "
                    "WHERE locktype = 'advisory' AND granted"
                )
            )
        engine.dispose()
        assert server.ended() == 1
        line = server.log.read_text().strip().splitlines()[-1]
        assert line.startswith("arena: the store is no longer held")


@pytest.mark.parametrize("which", ["port", "web_port"])
def test_a_port_in_use_is_told(home: Path, which: str) -> None:
    """In one line, with the settings that help."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        code, said = refused_to_serve(home, **{which: str(taken.getsockname()[1])})
    assert code == 1
    line = said.strip().splitlines()[-1]
    assert "can't be listened at" in line
    assert which in line
    assert "Traceback" not in said


def test_a_wrong_setting_ends_it_before_it_begins(home: Path, tmp_path: Path) -> None:
    """With one line, and no store is made."""
    code, said = refused_to_serve(home, drain_seconds="soon")
    assert (code, said.count("\n")) == (2, 1)
    assert said.startswith("arena: ARENA_DRAIN_SECONDS is 'soon': input should be a valid number")
    code, said = refused_to_serve(home, address="192.0.2.1")
    assert (code, said.count("\n")) == (2, 1)
    assert "without TLS" in said
    file = tmp_path / "mine.toml"
    file.write_text("drain = 5\n")
    code, said = refused_to_serve(home, "--config", str(file))
    assert (code, said.count("\n")) == (2, 1)
    assert "there is no setting 'drain'" in said
    assert not home.exists()


@pytest.fixture
def certificate(tmp_path: Path) -> tuple[Path, Path]:
    """A certificate for 127.0.0.1 and its key."""
    made = tmp_path / "certificate.pem", tmp_path / "key.pem"
    words = (
        "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 "
        f"-subj /CN=arena -addext subjectAltName=IP:127.0.0.1 -out {made[0]} -keyout {made[1]}"
    )
    try:
        subprocess.run(words.split(), check=True, capture_output=True)
    except FileNotFoundError:
        missing("no program openssl")
    return made


async def test_with_a_certificate_everything_is_encrypted(
    home: Path, certificate: tuple[Path, Path]
) -> None:
    """gRPC and HTTP; in the clear nobody gets an answer."""
    file, key = certificate
    with serving(home, program=SLOW, tls_certificate=str(file), tls_key=str(key)) as server:
        assert server.web.startswith("https://")
        trusted = grpc.ssl_channel_credentials(file.read_bytes())
        async with grpc.aio.secure_channel(server.target, trusted) as channel:
            known = await Caller(channel, accounts.local_token(home)).admin.WhoAmI(
                pb.WhoAmIRequest()
            )
            assert known.author.name == "local"
        context = ssl.create_default_context(cafile=str(file))
        assert (await asyncio.to_thread(get, f"{server.web}/healthz", context))[0] == 200
        async with grpc.aio.insecure_channel(server.target) as channel:
            with pytest.raises(grpc.aio.AioRpcError) as caught:
                await Caller(channel).admin.WhoAmI(pb.WhoAmIRequest())
        assert caught.value.code() is grpc.StatusCode.UNAVAILABLE


def test_a_certificate_that_is_none_is_told(home: Path, tmp_path: Path) -> None:
    """In one line."""
    junk = tmp_path / "junk.pem"
    junk.write_text("no certificate\n")
    code, said = refused_to_serve(home, tls_certificate=str(junk), tls_key=str(junk))
    assert code == 1
    assert "certificate" in said.strip().splitlines()[-1]


def test_a_certificate_that_is_not_there_is_told_before_anything_is_made(home: Path) -> None:
    """Neither a store nor an admin with a token that nobody will use."""
    code, said = refused_to_serve(home, tls_certificate="/no.pem", tls_key="/nowhere.pem")
    assert code == 2
    assert "/no.pem cannot be read" in said.strip().splitlines()[-1]
    assert accounts.local_token(home) is None


@pytest.mark.parametrize("wanted", ["false", "true"])
async def test_reflection_is_there_if_it_is_wanted(home: Path, wanted: str) -> None:
    """And only then."""
    asking = reflection_pb2.ServerReflectionRequest(list_services="")
    with serving(home, program=SLOW, reflection=wanted) as server:
        async with grpc.aio.insecure_channel(server.target) as channel:
            call = reflection_pb2_grpc.ServerReflectionStub(channel).ServerReflectionInfo(
                iter([asking])
            )
            if wanted == "false":
                with pytest.raises(grpc.aio.AioRpcError) as caught:
                    await call.read()
                assert caught.value.code() is grpc.StatusCode.UNIMPLEMENTED
                return
            said = await call.read()
    assert {service.name for service in said.list_services_response.service} >= {
        "arenabot.v1.BotService",
        "arenabot.v1.AdminService",
    }


async def test_what_is_too_large_is_not_read(home: Path) -> None:
    """A message and a call's metadata have bounds of their own."""
    with serving(home, program=SLOW, message_bytes="4096", metadata_bytes="4096") as server:
        async with grpc.aio.insecure_channel(server.target) as channel:
            admin = Caller(channel, accounts.local_token(home)).admin
            for message, metadata in (("x" * 5000, ""), ("x", "y" * 5000)):
                call = admin.CreateToken(
                    pb.CreateTokenRequest(name=message), metadata=[("more", metadata)]
                )
                with pytest.raises(grpc.aio.AioRpcError) as caught:
                    await call
                assert caught.value.code() is grpc.StatusCode.RESOURCE_EXHAUSTED
            await admin.CreateToken(pb.CreateTokenRequest(name="x"))


async def test_its_log_joins_what_belongs_together(home: Path) -> None:
    """A call that changes something is one line of JSON, with its id and who called."""
    with serving(home, program=SLOW) as server:
        async with grpc.aio.insecure_channel(server.target) as channel:
            admin = Caller(channel, accounts.local_token(home)).admin
            await admin.CreateToken(pb.CreateTokenRequest(name="laptop"))
        lines = [json.loads(line) for line in server.log.read_text().splitlines() if "{" in line]
    (call,) = [line for line in lines if line["event"] == "call"]
    assert call["method"] == "AdminService/CreateToken"
    assert (call["author"], call["outcome"]) == ("local", "OK")
    assert len(call["request"]) == 16
