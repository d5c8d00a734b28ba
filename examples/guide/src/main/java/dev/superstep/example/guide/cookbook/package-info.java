/// The recipes of the cookbook about agents. Each has a `main`, and its output stands in the guide.
@NullMarked
package dev.superstep.example.guide.cookbook;

import org.jspecify.annotations.NullMarked;
