/// A program on the module path.
@org.jspecify.annotations.NullMarked
package dev.superstep.example.guide.modular;
