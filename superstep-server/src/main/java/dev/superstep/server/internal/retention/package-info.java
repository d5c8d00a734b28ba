/// The removal of threads, streams and deliveries whose time is over.
@NullMarked
package dev.superstep.server.internal.retention;

import org.jspecify.annotations.NullMarked;
