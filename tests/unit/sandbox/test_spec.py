"""The container's recipe, line by line with SECURITY, "A container that ran here"."""

import json
from pathlib import Path
from typing import Any

import pytest

from arena.sandbox import Launch, Limits
from arena.sandbox.folders import SocketFolder
from arena.sandbox.spec import container_config, seccomp_profile

FOLDER = SocketFolder(Path("/run/x/1"), mounted=True)


@pytest.fixture
def config() -> dict[str, Any]:
    """The recipe of a bot with the default limits."""
    launch = Launch("secret label", "image", ("python3", "bot.py"), {"A": "b"})
    return container_config(
        launch,
        uid=1_900_000_001,
        socket_folder=FOLDER,
        labels={"k": "v"},
    )


def test_the_recipe_has_each_limit(config: dict[str, Any]) -> None:
    """Memory with swap, processes, CPU, shared memory, /tmp and descriptors are limited."""
    host = config["HostConfig"]
    assert host["Memory"] == host["MemorySwap"] == 256 << 20
    assert (host["MemorySwappiness"], host["PidsLimit"]) == (0, 64)
    assert host["NanoCpus"] == 10**9
    assert {"size=1m", "nr_inodes=64"} <= set(host["Tmpfs"]["/dev/shm"].split(","))
    assert set(host["Tmpfs"]["/tmp"].split(",")) == {
        *("rw", "nosuid", "nodev", "noexec", "mode=1777", "size=16m", "nr_inodes=1024")
    }
    assert {limit["Name"]: limit["Hard"] for limit in host["Ulimits"]} == {
        "nofile": 256,
        "fsize": 16 << 20,
        "memlock": 64 << 10,
        "msgqueue": 0,
        "core": 0,
    }
    assert all(limit["Soft"] == limit["Hard"] for limit in host["Ulimits"])


def test_the_recipe_has_each_fence(config: dict[str, Any]) -> None:
    """No network, read-only root, no capabilities, no new privileges, own profile and user."""
    host = config["HostConfig"]
    assert (host["NetworkMode"], config["NetworkDisabled"]) == ("none", True)
    assert host["ReadonlyRootfs"]
    assert not host["Privileged"]
    assert host["CapDrop"] == ["ALL"]
    assert "no-new-privileges:true" in host["SecurityOpt"]
    assert f"seccomp={seccomp_profile()}" in host["SecurityOpt"]
    assert (host["IpcMode"], host["CgroupnsMode"]) == ("private", "private")
    assert (config["User"], config["Hostname"]) == ("1900000001:1900000001", "bot")
    assert host["Mounts"] == [{"Type": "bind", "Source": "/run/x/1", "Target": "/run/arena"}]
    masked = {
        *("/proc/stat", "/proc/loadavg", "/proc/pressure", "/proc/diskstats", "/proc/vmstat"),
        *("/proc/interrupts", "/proc/cmdline", "/proc/version"),
        *("/sys/fs/cgroup", "/sys/kernel", "/sys/class", "/proc/kcore", "/proc/keys"),
        *("/proc/sys/kernel/pty", "/proc/sys/fs", "/proc/cgroups", "/dev/pts"),
    }
    assert masked <= set(host["MaskedPaths"])
    assert "/proc/sys" in host["ReadonlyPaths"]


def test_the_recipe_keeps_state_and_log(config: dict[str, Any]) -> None:
    """The container stays for its state to be read, unattached, with a capped log."""
    host = config["HostConfig"]
    assert not host["AutoRemove"]
    assert not any(config[f"Attach{stream}"] for stream in ("Stdin", "Stdout", "Stderr"))
    assert host["LogConfig"] == {
        "Type": "local",
        "Config": {"max-size": "256k", "max-file": "1", "compress": "false"},
    }


def test_nothing_but_the_environment_tells_the_bot_anything(config: dict[str, Any]) -> None:
    """The label is in no field that a bot can see, and the image's own command is set aside."""
    assert config["Env"] == ["A=b", "ARENABOT_ADDRESS=unix:/run/arena/bot.sock"]
    assert (config["Entrypoint"], config["Cmd"]) == (["python3", "bot.py"], [])
    assert "secret label" not in json.dumps(config)


def test_the_bot_cant_be_told_to_listen_elsewhere() -> None:
    """Our address wins over one in the launch's environment."""
    launch = Launch("x", "image", ("bot",), {"ARENABOT_ADDRESS": "unix:/elsewhere"})
    config = container_config(launch, uid=1, socket_folder=FOLDER, labels={})
    assert config["Env"] == ["ARENABOT_ADDRESS=unix:/run/arena/bot.sock"]


def test_limits_can_be_chosen() -> None:
    """Each limit of a launch reaches the recipe."""
    limits = Limits(
        memory_mib=32, cpus=0.25, pids=8, tmp_mib=4, log_kib=64, open_files=99, file_mib=1
    )
    launch = Launch("x", "image", ("bot",), limits=limits)
    host = container_config(launch, uid=1, socket_folder=FOLDER, labels={})["HostConfig"]
    assert (host["Memory"], host["NanoCpus"], host["PidsLimit"]) == (32 << 20, 250_000_000, 8)
    assert "size=4m" in host["Tmpfs"]["/tmp"]
    assert host["LogConfig"]["Config"]["max-size"] == "64k"
    hard = {limit["Name"]: limit["Hard"] for limit in host["Ulimits"]}
    assert (hard["nofile"], hard["fsize"]) == (99, 1 << 20)


def test_the_profile_allows_by_name_on_two_architectures_only() -> None:
    """What isn't listed is refused; 32-bit modes are not among the architectures."""
    profile = json.loads(seccomp_profile())
    assert profile["defaultAction"] == "SCMP_ACT_ERRNO"
    assert profile["archMap"] == [
        {"architecture": "SCMP_ARCH_X86_64", "subArchitectures": []},
        {"architecture": "SCMP_ARCH_AARCH64", "subArchitectures": []},
    ]


def test_the_profile_lists_nothing_dangerous() -> None:
    """No namespaces, tracing, keys, BPF, io_uring, devices, clocks, or ways to other processes.

    And none to take a file of the image out of the host's memory, which another bot could notice.
    """
    profile = json.loads(seccomp_profile())
    allowed = [
        name
        for rule in profile["syscalls"]
        if rule["action"] == "SCMP_ACT_ALLOW"
        for name in rule["names"]
    ]
    dangerous = {
        *("unshare", "setns", "mount", "umount2", "pivot_root", "chroot", "clone3", "fsopen"),
        *("ptrace", "process_vm_readv", "process_vm_writev", "kcmp", "pidfd_getfd"),
        *("keyctl", "add_key", "request_key", "bpf", "perf_event_open", "userfaultfd"),
        *("io_uring_setup", "io_uring_enter", "io_uring_register", "mknod", "mknodat"),
        *("socketcall", "modify_ldt", "ioperm", "iopl", "kexec_load", "init_module"),
        *("settimeofday", "clock_settime", "adjtimex", "sysinfo", "syslog", "reboot"),
        *("open_by_handle_at", "name_to_handle_at", "fanotify_init", "quotactl", "swapon"),
        *("shmget", "msgget", "semget", "mq_open", "setuid", "setgid", "setgroups", "fadvise64"),
    }
    assert dangerous.isdisjoint(allowed)
    conditional = {"clone", "socket", "socketpair", "personality"}
    for rule in profile["syscalls"]:
        if conditional.intersection(rule["names"]):
            assert rule["args"], rule


def test_a_socket_folder_may_be_a_volume(config: dict[str, Any]) -> None:
    """For an arena in a container: by its name, and nothing of the image's goes into it."""
    volume = SocketFolder(Path("/slots/7"), mounted=True, volume="slot-7")
    launch = Launch("x", "image", ("bot",))
    host = container_config(launch, uid=1, socket_folder=volume, labels={})["HostConfig"]
    assert host["Mounts"] == [
        {
            "Type": "volume",
            "Source": "slot-7",
            "Target": "/run/arena",
            "VolumeOptions": {"NoCopy": True},
        }
    ]
