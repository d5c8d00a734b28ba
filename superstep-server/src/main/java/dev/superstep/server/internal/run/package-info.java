/// Internals of the server.
@NullMarked
package dev.superstep.server.internal.run;

import org.jspecify.annotations.NullMarked;
