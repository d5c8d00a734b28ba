/// Internals of the server.
@NullMarked
package dev.superstep.server.internal.wire;

import org.jspecify.annotations.NullMarked;
