/// Programs of the pages on many tools, credentials and batches.
@org.jspecify.annotations.NullMarked
package dev.superstep.example.guide.calls;
