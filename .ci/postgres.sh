# shellcheck shell=bash
# A PostgreSQL for the suites of test:services: the one of DATABASE_URL, the one that listens at its
# default address, or else Debian's, with a cluster in a folder that goes when the run ends.

provide_postgres() {
  # A suite starts a server of its own, too.
  local is_served=no
  if [ -n "${DATABASE_URL:-}" ] || listens 5432; then is_served=yes; fi
  [ -n "$(postgres_programs)" ] || need initdb postgresql
  [ "$is_served" = yes ] || start_postgres
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

# Two runs on one machine must not meet.
free_port() {
  node -e "const server = require('net').createServer().listen(0, '127.0.0.1', () => {
    console.log(server.address().port);
    server.close();
  });"
}

start_postgres() {
  local programs port
  programs=$(postgres_programs)
  port=$(free_port)
  postgres_folder=$(mktemp -d)
  [ "$(id -u)" -ne 0 ] || chown postgres "$postgres_folder"
  # Nothing here outlives the run, so nothing has to reach the disk.
  as_postgres "$programs/initdb" -D "$postgres_folder" -U postgres -A trust -E UTF8 -N > /dev/null &&
    as_postgres "$programs/pg_ctl" -D "$postgres_folder" -l "$postgres_folder/log" -w -s \
      -o "-p $port -c listen_addresses=127.0.0.1 -c unix_socket_directories= -c fsync=off" start &&
    as_postgres "$programs/createdb" -h 127.0.0.1 -p "$port" -U postgres test &&
    export DATABASE_URL="postgres://postgres@127.0.0.1:$port/test"
}

stop_postgres() {
  [ -n "${postgres_folder:-}" ] || return 0
  as_postgres "$(postgres_programs)/pg_ctl" -D "$postgres_folder" -m immediate -s stop || true
  rm -rf "$postgres_folder"
}
