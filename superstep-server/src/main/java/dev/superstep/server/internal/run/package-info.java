/// Work on runs: the workers of this process, the execution of a run, and the readers of its
/// stream.
@NullMarked
package dev.superstep.server.internal.run;

import org.jspecify.annotations.NullMarked;
