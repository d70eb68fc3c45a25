#!/bin/sh
# Back up the database of DATABASE_URL, its owner's, into the working directory: a file a day, and fourteen are kept.
set -eu
umask 077
# Written beside and renamed, so that a file of this name is always a whole backup.
pg_dump --format=custom --file=new.dump "$DATABASE_URL"
mv new.dump "$(date +%F).dump"
ls -1 20*.dump | head -n -14 | xargs -r rm --
