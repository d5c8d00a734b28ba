/// The programs of the guide's pages on running, watching and extending what was built.
@NullMarked
package dev.superstep.example.guide.operations;

import org.jspecify.annotations.NullMarked;
