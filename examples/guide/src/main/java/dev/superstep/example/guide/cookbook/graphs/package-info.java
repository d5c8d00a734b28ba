/// The recipes of the cookbook about graphs. Each has a `main`, and its output stands in the guide.
@NullMarked
package dev.superstep.example.guide.cookbook.graphs;

import org.jspecify.annotations.NullMarked;
