/// The queue of runs that all processes of a service share.
@NullMarked
package dev.superstep.server.internal.queue;

import org.jspecify.annotations.NullMarked;
