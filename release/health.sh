#!/bin/bash
# Says by its exit code whether the server on this machine, or in this container, is ready: 0 if it is. Needs bash alone,
# which images without curl have.
set -u
port=${SUPERSTEP_SERVER_PORT:-2024}
exec 3<>"/dev/tcp/127.0.0.1/$port" || exit 1
printf 'GET /health/ready HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n' >&3
IFS= read -r -t 4 line <&3 || exit 1
case $line in
  'HTTP/1.1 200'*) exit 0 ;;
esac
printf '%s\n' "$line" >&2
exit 1
