/// The programs that the guide shows. Each has a `main`, and its output stands in the guide.
@NullMarked
package dev.superstep.example.guide;

import org.jspecify.annotations.NullMarked;
