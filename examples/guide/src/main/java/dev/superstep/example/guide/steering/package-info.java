/// Programs of the guide about steering.
@org.jspecify.annotations.NullMarked
package dev.superstep.example.guide.steering;
