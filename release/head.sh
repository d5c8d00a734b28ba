#!/bin/sh
# The superstep command, with a JVM of its own. It needs a shell and the C library of the system, and no Java.

set -eu

EXIT_FAILED=4
