/// The ends of runs, told to the addresses that clients named.
@NullMarked
package dev.superstep.server.internal.webhook;

import org.jspecify.annotations.NullMarked;
