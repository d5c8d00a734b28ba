/// Internals of the server.
@NullMarked
package dev.superstep.server.internal.api;

import org.jspecify.annotations.NullMarked;
