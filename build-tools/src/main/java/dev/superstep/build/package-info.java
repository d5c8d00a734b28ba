/// What the build knows about the sources of all modules: where they are, how they are formatted,
/// how long their methods are. The checks themselves are this module's tests.
@NullMarked
package dev.superstep.build;

import org.jspecify.annotations.NullMarked;
