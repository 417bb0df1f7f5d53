"""What a bot's container is made of: one pure function from a launch to the engine's JSON.

Every line is a protection or a limit of SECURITY, "A container that ran here". The keys are those
of the Docker Engine API (POST /containers/create), because docker-py has no argument for some.
"""

import json
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any, Final

from arena.sandbox.api import ADDRESS_VARIABLE, Launch, Limits
from arena.sandbox.folders import SOCKET_NAME, SocketFolder

INSIDE: Final = "/run/arena"
"""Where a container finds its socket folder."""

MASKED_PATHS: Final = (
    # The engine's own list, which ours replaces.
    *("/proc/acpi", "/proc/asound", "/proc/kcore", "/proc/keys", "/proc/latency_stats"),
    *("/proc/sched_debug", "/proc/scsi", "/proc/timer_list", "/proc/timer_stats", "/sys/firmware"),
    "/sys/devices/virtual/powercap",
    # What tells about the host, or about how busy the other bots are.
    *("/proc/buddyinfo", "/proc/cmdline", "/proc/diskstats", "/proc/interrupts", "/proc/key-users"),
    *("/proc/loadavg", "/proc/locks", "/proc/meminfo", "/proc/partitions", "/proc/swaps"),
    *("/proc/pressure", "/proc/schedstat", "/proc/softirqs", "/proc/stat", "/proc/uptime"),
    *("/proc/version", "/proc/vmstat", "/proc/zoneinfo"),
    *("/sys/block", "/sys/class", "/sys/devices/system/node", "/sys/devices/virtual/dmi"),
    *("/sys/fs/cgroup", "/sys/kernel", "/sys/module"),
    # What counts for the whole host, where one bot could show another something: open files, and
    # terminals, which none can open without the last.
    *("/proc/cgroups", "/proc/sys/fs", "/proc/sys/kernel/pty", "/dev/pts"),
)
READ_ONLY_PATHS: Final = ("/proc/bus", "/proc/fs", "/proc/irq", "/proc/sys", "/proc/sysrq-trigger")

ZYGOTE_CAPABILITIES: Final = ("SETUID", "SETGID", "SETPCAP", "KILL")
"""To become each match's user, to give up these capabilities for good, and to end a match."""
ZYGOTE_CALLS: Final = ("capset", "setgroups", "setresgid", "setresuid")
"""The system calls for that, beyond those of a bot, who has no capability to gain by them."""

_TMP_INODES: Final = 1024
_SHM_SIZE: Final = "1m"
_SHM_INODES: Final = 64
_LOCKED_BYTES: Final = 64 << 10


def container_config(
    launch: Launch, *, uid: int, socket_folder: SocketFolder, labels: Mapping[str, str]
) -> dict[str, Any]:
    """The whole container of one bot."""
    env = {**launch.env, ADDRESS_VARIABLE: f"unix:{INSIDE}/{SOCKET_NAME}"}
    config = _config(launch, launch.command, env, socket_folder, labels)
    config["User"] = f"{uid}:{uid}"
    return config


def zygote_config(
    launch: Launch, *, socket_folder: SocketFolder, labels: Mapping[str, str]
) -> dict[str, Any]:
    """The whole container of one bot whose matches' processes are forked by the zygote."""
    command = (*launch.zygote, *launch.command)
    config = _config(launch, command, launch.env, socket_folder, labels)
    config["User"] = "0:0"
    host = config["HostConfig"]
    host["CapAdd"] = list(ZYGOTE_CAPABILITIES)
    host["SecurityOpt"] = _security(zygote=True)
    host["PidsLimit"] += 1  # the zygote itself is not the bot's
    return config


def _config(
    launch: Launch,
    command: tuple[str, ...],
    env: Mapping[str, str],
    socket_folder: SocketFolder,
    labels: Mapping[str, str],
) -> dict[str, Any]:
    return {
        "Image": launch.artifact,
        # An entry point of ours sets aside the image's entry point and command.
        "Entrypoint": list(command),
        "Cmd": [],
        "Env": [f"{name}={value}" for name, value in env.items()],
        "Hostname": "bot",
        "Labels": dict(labels),
        "NetworkDisabled": True,
        "Healthcheck": {"Test": ["NONE"]},
        "AttachStdin": False,
        "AttachStdout": False,
        "AttachStderr": False,
        "OpenStdin": False,
        "Tty": False,
        "HostConfig": _host_config(launch.limits, socket_folder),
    }


def _host_config(limits: Limits, socket_folder: SocketFolder) -> dict[str, Any]:
    memory = limits.memory_mib << 20
    return {
        "NetworkMode": "none",
        "ReadonlyRootfs": True,
        "Privileged": False,
        "CapDrop": ["ALL"],
        "SecurityOpt": _security(),
        "MaskedPaths": list(MASKED_PATHS),
        "ReadonlyPaths": list(READ_ONLY_PATHS),
        "IpcMode": "private",
        "CgroupnsMode": "private",
        # The peer check compares user ids, so they must mean the same inside and outside.
        "UsernsMode": "host",
        # The host's name servers and domain are nobody's business inside.
        "Dns": ["127.0.0.1"],
        "DnsSearch": ["."],
        "Memory": memory,
        "MemorySwap": memory,
        "MemorySwappiness": 0,
        "PidsLimit": limits.pids,
        "NanoCpus": round(limits.cpus * 1e9),
        "Tmpfs": {
            "/tmp": _tmpfs(f"{limits.tmp_mib}m", _TMP_INODES),  # noqa: S108 - a path inside
            # In place of the engine's own, which bounds bytes and not files.
            "/dev/shm": _tmpfs(_SHM_SIZE, _SHM_INODES),  # noqa: S108
        },
        "Ulimits": [
            _ulimit("nofile", limits.open_files),
            _ulimit("fsize", limits.file_mib << 20),
            _ulimit("memlock", _LOCKED_BYTES),
            _ulimit("msgqueue", 0),
            _ulimit("core", 0),
        ],
        "Mounts": [_mount(socket_folder)],
        "LogConfig": {
            "Type": "local",
            # `local` refuses a single file unless compression is off.
            "Config": {"max-size": f"{limits.log_kib}k", "max-file": "1", "compress": "false"},
        },
        # The state of an ended container tells why it ended, so we remove it ourselves.
        "AutoRemove": False,
        "RestartPolicy": {"Name": "no"},
    }


def _mount(folder: SocketFolder) -> dict[str, Any]:
    if folder.volume:
        # Nothing of the image's is to be copied into it.
        options = {"VolumeOptions": {"NoCopy": True}}
        return {"Type": "volume", "Source": folder.volume, "Target": INSIDE, **options}
    return {"Type": "bind", "Source": str(folder.path), "Target": INSIDE}


def _security(*, zygote: bool = False) -> list[str]:
    return ["no-new-privileges:true", f"seccomp={seccomp_profile(zygote=zygote)}"]


def _tmpfs(size: str, inodes: int) -> str:
    return f"rw,nosuid,nodev,noexec,mode=1777,size={size},nr_inodes={inodes}"


def _ulimit(name: str, value: int) -> dict[str, Any]:
    return {"Name": name, "Soft": value, "Hard": value}


@cache
def seccomp_profile(*, zygote: bool = False) -> str:
    """Our allowlist of system calls, as the engine takes it."""
    text = resources.files("arena.sandbox").joinpath("seccomp.json").read_text(encoding="utf-8")
    profile = json.loads(text)
    if zygote:
        profile["syscalls"].append({"action": "SCMP_ACT_ALLOW", "names": list(ZYGOTE_CALLS)})
    return json.dumps(profile, separators=(",", ":"))
