/// The programs of the guide's page about program folders.
@org.jspecify.annotations.NullMarked
package dev.superstep.example.guide.program;
