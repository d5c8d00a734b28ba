/// The checks before a version is published.
@org.jspecify.annotations.NullMarked
package dev.superstep.release;
