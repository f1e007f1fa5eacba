"""Runs a command on a terminal of its own: orders come as lines of JSON on stdin, reports leave so on stdout."""

import base64
import fcntl
import json
import os
import select
import signal
import struct
import sys
import termios

ORDERS = sys.stdin.fileno()
# Whether what is written is read, and the side of the command, until it is closed.
seen = {"reads": True, "slave": None}


def report(**fields):
    print(json.dumps(fields), flush=True)


def resize(terminal, columns, rows):
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))


def start(command, slave):
    child = os.fork()
    if child > 0:
        return child
    os.setsid()
    fcntl.ioctl(slave, termios.TIOCSCTTY, 0)
    for stream in range(3):
        os.dup2(slave, stream)
    os.execvp(command[0], command)


def obey(order, child, terminal):
    if "reads" in order:
        seen["reads"] = order["reads"]
    if "close" in order:
        os.close(seen["slave"])
        os.close(terminal)
        seen.update(reads=False, slave=None)
    if "keys" in order:
        os.write(terminal, order["keys"].encode())
    if "signal" in order:
        os.kill(child, getattr(signal, order["signal"]))
    if "columns" in order:
        resize(terminal, order["columns"], order["rows"])


def pass_on(terminal):
    """Passes on what was written. False when no process is left that could write more."""
    try:
        data = os.read(terminal, 65536)
    except OSError:
        return False
    report(data=base64.b64encode(data).decode())
    return True


def serve(child, terminal, ended):
    """Runs until the command ends, or until the process that gives the orders does."""
    pending = b""
    while True:
        read = [terminal] if seen["reads"] else []
        ready, _, _ = select.select([*read, ORDERS, ended], [], [])
        if ended in ready:
            return
        if terminal in ready:
            pass_on(terminal)
        if ORDERS in ready:
            data = os.read(ORDERS, 65536)
            if data == b"":
                os.kill(child, signal.SIGKILL)
                return
            *lines, pending = (pending + data).split(b"\n")
            for line in lines:
                obey(json.loads(line), child, terminal)


def main():
    columns, rows, *command = sys.argv[1:]
    ended, wake = os.pipe()
    os.set_blocking(wake, False)
    signal.set_wakeup_fd(wake)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    terminal, slave = os.openpty()
    seen["slave"] = slave
    resize(terminal, int(columns), int(rows))
    child = start(command, slave)
    serve(child, terminal, ended)
    _, status = os.waitpid(child, 0)
    exit_code = os.waitstatus_to_exitcode(status)
    if seen["slave"] is None:
        report(exit=exit_code, cooked=False)
        return
    modes = termios.tcgetattr(slave)[3]
    os.close(slave)
    while pass_on(terminal):
        pass
    report(exit=exit_code, cooked=bool(modes & termios.ECHO and modes & termios.ICANON))


main()
