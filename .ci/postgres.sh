# shellcheck shell=bash
# A PostgreSQL for the suites of test:services: the one of DATABASE_URL, the one that listens at its
# default address, or else Debian's, with a cluster in a folder that goes when the run ends.

POSTGRES_PORT=54329

provide_postgres() {
  [ -z "${DATABASE_URL:-}" ] || return 0
  ! listens 5432 || return 0
  [ -n "$(postgres_programs)" ] || need initdb postgresql
  start_postgres
}

listens() {
  (exec 3<> "/dev/tcp/127.0.0.1/$1") 2> /dev/null
}

# Debian keeps the server's programs out of the PATH.
postgres_programs() {
  find /usr/lib/postgresql -name initdb -printf '%h\n' 2> /dev/null | sort -V | tail -n 1
}

# The server refuses to run as root.
as_postgres() {
  if [ "$(id -u)" -eq 0 ]; then runuser -u postgres -- "$@"; else "$@"; fi
}

start_postgres() {
  local programs
  programs=$(postgres_programs)
  postgres_folder=$(mktemp -d)
  [ "$(id -u)" -ne 0 ] || chown postgres "$postgres_folder"
  # Nothing here outlives the run, so nothing has to reach the disk.
  as_postgres "$programs/initdb" -D "$postgres_folder" -U postgres -A trust -E UTF8 -N > /dev/null &&
    as_postgres "$programs/pg_ctl" -D "$postgres_folder" -l "$postgres_folder/log" -w -s \
      -o "-p $POSTGRES_PORT -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off" start &&
    as_postgres "$programs/createdb" -h 127.0.0.1 -p "$POSTGRES_PORT" -U postgres test &&
    export DATABASE_URL="postgres://postgres@127.0.0.1:$POSTGRES_PORT/test"
}

stop_postgres() {
  [ -n "${postgres_folder:-}" ] || return 0
  as_postgres "$(postgres_programs)/pg_ctl" -D "$postgres_folder" -m immediate -s stop || true
  rm -rf "$postgres_folder"
}
