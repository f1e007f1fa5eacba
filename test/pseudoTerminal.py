"""Runs a command on a terminal of its own. Orders come as lines of JSON on stdin, reports leave as lines of JSON on stdout."""

import base64
import fcntl
import json
import os
import pty
import select
import signal
import struct
import sys
import termios

ORDERS = sys.stdin.fileno()


def report(**fields):
    sys.stdout.write(json.dumps(fields) + "\n")
    sys.stdout.flush()


def resize(terminal, columns, rows):
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))


def is_cooked(terminal):
    modes = termios.tcgetattr(terminal)[3]
    return bool(modes & termios.ECHO and modes & termios.ICANON and modes & termios.ISIG)


def obey(order, child, terminal):
    if "keys" in order:
        os.write(terminal, base64.b64decode(order["keys"]))
    if "signal" in order:
        os.kill(child, getattr(signal, order["signal"]))
    if "columns" in order:
        resize(terminal, order["columns"], order["rows"])


def serve(child, terminal):
    pending = b""
    watched = [terminal, ORDERS]
    while terminal in watched:
        ready, _, _ = select.select(watched, [], [])
        if terminal in ready:
            try:
                data = os.read(terminal, 65536)
            except OSError:
                data = b""
            if data == b"":
                watched.remove(terminal)
            else:
                report(data=base64.b64encode(data).decode())
        if ORDERS in ready:
            data = os.read(ORDERS, 65536)
            if data == b"":
                os.kill(child, signal.SIGKILL)
                watched.remove(ORDERS)
            pending += data
            *lines, pending = pending.split(b"\n")
            for line in lines:
                obey(json.loads(line), child, terminal)


def main():
    columns, rows, *command = sys.argv[1:]
    # A slave side that stays open here keeps the terminal readable after its last program has left.
    terminal, slave = os.openpty()
    resize(terminal, int(columns), int(rows))
    child = os.fork()
    if child == 0:
        os.close(terminal)
        os.login_tty(slave) if hasattr(os, "login_tty") else take(slave)
        os.execvp(command[0], command)
    ended_reader, ended_writer = os.pipe()
    del ended_reader, ended_writer
    os.close(slave)
    serve(child, terminal)
    _, status = os.waitpid(child, 0)
    report(exit=os.waitstatus_to_exitcode(status), cooked=None)


main()
