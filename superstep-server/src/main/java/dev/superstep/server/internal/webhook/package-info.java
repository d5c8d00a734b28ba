/// Internals of the server.
@NullMarked
package dev.superstep.server.internal.webhook;

import org.jspecify.annotations.NullMarked;
