"""A program of its own: says which Python files don't compile. Nothing is ever run.

Compiling a stranger's source can take any time and memory, and can crash an interpreter, so it
happens in a process with limits. It imports nothing of ours and is started with `python -I -S`.

Standard input: for each file a line of JSON `[path, size]`, then that many bytes. Standard output:
for each file, in that order, a line of JSON: null, or `[line number, what is wrong]`.
"""

import json
import resource
import sys
import warnings

CPU_SECONDS = 10
MEMORY_BYTES = 1 << 30


def problem(source: bytes, path: str) -> tuple[int, str] | None:
    """Where and why `source` doesn't compile; None if it does."""
    try:
        compile(source, path, "exec", dont_inherit=True)
    except SyntaxError as error:
        return error.lineno or 1, error.msg[:200]
    except (RecursionError, MemoryError):
        return 1, "is nested too deeply or too large to compile"
    except Exception as error:
        return 1, f"can't be compiled ({type(error).__name__})"
    return None


def main() -> None:
    """Answer for every file on standard input."""
    warnings.simplefilter("ignore")
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    while line := sys.stdin.buffer.readline():
        path, size = json.loads(line)
        sys.stdout.write(json.dumps(problem(sys.stdin.buffer.read(size), path)) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
