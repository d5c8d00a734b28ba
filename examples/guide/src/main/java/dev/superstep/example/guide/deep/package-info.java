/// Programs of the pages on skills and deep agents.
@org.jspecify.annotations.NullMarked
package dev.superstep.example.guide.deep;
