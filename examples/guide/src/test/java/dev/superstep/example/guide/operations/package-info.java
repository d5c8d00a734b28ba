/// Tests of the programs on running, watching and extending what was built.
@NullMarked
package dev.superstep.example.guide.operations;

import org.jspecify.annotations.NullMarked;
