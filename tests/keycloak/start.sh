#!/usr/bin/env bash
# A Keycloak for the tests, for this machine alone, with realm.json beside this script: tests/keycloak/start.sh FOLDER
# It is fetched by Maven, runs on Java, and keeps all it has in FOLDER. Returns once it answers; ended by
#   tests/keycloak/start.sh FOLDER stop
set -euo pipefail

version=${KEYCLOAK_VERSION:-26.4.0}
port=${KEYCLOAK_PORT:-8180}
tls_port=${KEYCLOAK_TLS_PORT:-8543}
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
folder=$(cd "$1" && pwd)
program=$folder/keycloak-$version

stop() {
    if [ -f "$folder/pid" ]; then
        local pid
        pid=$(cat "$folder/pid")
        kill "$pid" 2>/dev/null || true
        for _ in {1..300}; do
            kill -0 "$pid" 2>/dev/null || break
            sleep 0.1
        done
        rm "$folder/pid"
    fi
}

if [ "${2:-}" = stop ]; then
    stop
    exit
fi
if [ ! -d "$program" ]; then
    mvn --quiet --batch-mode org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy \
        -Dartifact="org.keycloak:keycloak-quarkus-dist:$version:tar.gz" -DoutputDirectory="$folder"
    tar --extract --gzip --directory "$folder" --file "$folder/keycloak-quarkus-dist-$version.tar.gz"
fi
stop
mkdir -p "$program/data/import"
cp "$here/realm.json" "$program/data/import/"
# Whoever starts it, an administrator of the tests' own has it.
export KC_BOOTSTRAP_ADMIN_USERNAME=admin KC_BOOTSTRAP_ADMIN_PASSWORD=admin
export JAVA_OPTS_KC_HEAP=${JAVA_OPTS_KC_HEAP:--Xms64m -Xmx512m}
nohup "$program/bin/kc.sh" start-dev --http-host 127.0.0.1 --http-port "$port" --https-port "$tls_port" \
    --https-certificate-file "$here/../fixtures/tls/server.pem" \
    --https-certificate-key-file "$here/../fixtures/tls/server.key" \
    --import-realm >"$folder/log" 2>&1 </dev/null &
echo $! >"$folder/pid"
for _ in {1..180}; do
    sleep 1
    if curl --silent --fail --output /dev/null "http://127.0.0.1:$port/realms/rundown-tests"; then
        exit
    fi
    if ! kill -0 "$(cat "$folder/pid")" 2>/dev/null; then
        break
    fi
done
tail -20 "$folder/log" >&2
echo "Keycloak does not answer" >&2
exit 1
