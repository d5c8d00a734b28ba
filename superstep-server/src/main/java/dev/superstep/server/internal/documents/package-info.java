/// The documents of a service: threads, runs and assistants as they are stored.
@NullMarked
package dev.superstep.server.internal.documents;

import org.jspecify.annotations.NullMarked;
