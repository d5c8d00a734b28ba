/// The smallest graph: one node writes, one asks a person.
@org.jspecify.annotations.NullMarked
package dev.superstep.example.start;
