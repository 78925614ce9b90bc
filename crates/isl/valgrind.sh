#!/bin/sh
# Runs the tests of the isl binding under valgrind: any leak or invalid access fails.
# Needs valgrind. Run from anywhere in the workspace.
set -eu
cd "$(dirname "$0")"

binaries=$(cargo test --no-run --message-format=json 2>/dev/null |
    sed -n 's/.*"executable":"\([^"]*\)".*/\1/p')
[ -n "$binaries" ] || { echo "no test binaries" >&2; exit 1; }

# Valgrind does not follow the process the leak test starts; it runs that part itself.
export ISL_LEAK_TEST_INNER=1 ISL_TEST_SHORT=1
# Valgrind runs one thread at a time. Without `--fair-sched` the one that computes may keep the
# processor for minutes, and the one that watches the time never has its turn.
for binary in $binaries; do
    echo "valgrind: $binary"
    valgrind --quiet --fair-sched=yes --leak-check=full --show-leak-kinds=definite,indirect,possible \
        --errors-for-leak-kinds=definite,indirect,possible --error-exitcode=1 --suppressions=valgrind.supp \
        "$binary" --test-threads=1
done
echo "valgrind: no leaks, no errors"
