"""Makes a system call of 32-bit programs, which a filter may mistake for another (x86-64 only)."""

import ctypes
import mmap

from calm import CalmAtFirst

from arenabot import serve

GETPID = b"\xb8\x14\x00\x00\x00\xcd\x80\xc3"  # mov eax, 20; int 0x80; ret


class MakesAnOldCall(CalmAtFirst):
    def misbehave(self) -> None:
        code = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
        code.write(GETPID)
        place = ctypes.addressof(ctypes.c_char.from_buffer(code))
        ctypes.CFUNCTYPE(ctypes.c_int)(place)()


if __name__ == "__main__":
    serve(MakesAnOldCall)
