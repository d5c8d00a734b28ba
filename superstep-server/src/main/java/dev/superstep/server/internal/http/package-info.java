/// HTTP between the container and the API. A request arrives as an `Exchange`, of Jetty or of a
/// servlet container; the `Dispatcher` finds out where it comes from and who sent it, keeps its
/// limits, finds its route and sends the `Reply`: a value, events as they come, a value that takes
/// long, or a WebSocket. What goes wrong is an `HttpFailure`, which every client gets in one form.
/// Knows nothing of threads and runs, so the packages of the API depend on it and not the other way
/// round.
@NullMarked
package dev.superstep.server.internal.http;

import org.jspecify.annotations.NullMarked;
