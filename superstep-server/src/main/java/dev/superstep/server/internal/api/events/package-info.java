/// The event-streaming protocol: commands on threads, and the events of threads.
@NullMarked
package dev.superstep.server.internal.api.events;

import org.jspecify.annotations.NullMarked;
