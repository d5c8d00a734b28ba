/// The events of runs in the forms that streams have: the frames of run streams, and the
/// event-streaming protocol.
@NullMarked
package dev.superstep.server.internal.wire.stream;

import org.jspecify.annotations.NullMarked;
