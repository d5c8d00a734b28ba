/// Runs that begin at planned times.
@NullMarked
package dev.superstep.server.internal.schedule;

import org.jspecify.annotations.NullMarked;
