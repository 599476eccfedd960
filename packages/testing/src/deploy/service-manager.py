# Opens sockets and starts a command with them, again whenever it ends, as a socket unit and its service do.
# service-manager.py NAME=PORT... -- COMMAND...    SIGUSR1 restarts, SIGHUP is passed on, SIGTERM ends both.
import fcntl
import os
import signal
import socket
import sys

end = sys.argv.index("--")
named = [one.split("=") for one in sys.argv[1:end]]
command = sys.argv[end + 1 :]
high = []
for name, port in named:
    one = socket.create_server(("127.0.0.1", int(port)), backlog=4096)
    high.append(fcntl.fcntl(one.fileno(), fcntl.F_DUPFD, 100))
    one.close()

child = 0
is_ending = False


def stop(number, _frame):
    global is_ending
    is_ending = number == signal.SIGTERM
    if child:
        os.kill(child, signal.SIGTERM)


signal.signal(signal.SIGTERM, stop)
signal.signal(signal.SIGUSR1, stop)
signal.signal(signal.SIGHUP, lambda *_: os.kill(child, signal.SIGHUP))

while not is_ending:
    child = os.fork()
    if child == 0:
        for at, descriptor in enumerate(high):
            os.dup2(descriptor, 3 + at, inheritable=True)
        os.environ["LISTEN_PID"] = str(os.getpid())
        os.environ["LISTEN_FDS"] = str(len(high))
        os.environ["LISTEN_FDNAMES"] = ":".join(name for name, _ in named)
        os.execvp(command[0], command)
    print(f"started {child}", flush=True)
    os.waitpid(child, 0)
