/// Internals of the server.
@NullMarked
package dev.superstep.server.internal.schedule;

import org.jspecify.annotations.NullMarked;
