# shellcheck shell=bash
# A Redis for the suites of test:services: the one of REDIS_URL, the one that listens at its default
# address, or else Debian's, which keeps nothing on the disk. Suites start servers of their own, too.

provide_redis() {
  need redis-server redis-server
  [ -z "${REDIS_URL:-}" ] || return 0
  ! listens 6379 || return 0
  local port
  port=$(free_port)
  redis_folder=$(mktemp -d)
  redis-server --port "$port" --bind 127.0.0.1 --save "" --dir "$redis_folder" \
    --daemonize yes --pidfile "$redis_folder/pid" > /dev/null &&
    export REDIS_URL="redis://127.0.0.1:$port"
}

stop_redis() {
  [ -n "${redis_folder:-}" ] || return 0
  kill "$(cat "$redis_folder/pid")" || true
  rm -rf "$redis_folder"
}
