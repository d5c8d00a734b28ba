/// The claim desk: a graph as text, and the components in Java that it names.
@org.jspecify.annotations.NullMarked
package dev.superstep.example.claims;
