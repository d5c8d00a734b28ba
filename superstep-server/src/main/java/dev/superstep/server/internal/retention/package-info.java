/// Internals of the server.
@NullMarked
package dev.superstep.server.internal.retention;

import org.jspecify.annotations.NullMarked;
