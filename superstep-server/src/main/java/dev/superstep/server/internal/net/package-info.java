/// Internals of the server.
@NullMarked
package dev.superstep.server.internal.net;

import org.jspecify.annotations.NullMarked;
