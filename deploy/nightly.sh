#!/bin/sh
# Run a command now, and then each night: nightly.sh 02:20 COMMAND… (in the time zone TZ, else UTC). End as it does when
# it fails: what restarts the container runs it again.
set -eu
time=$1
shift
while :; do
    "$@"
    sleep $((($(date -d "$time" +%s) - $(date +%s) + 86399) % 86400 + 1))
done
