/// Tests that the reference part of the guide is complete and says what the code says.
@NullMarked
package dev.superstep.example.guide.reference;

import org.jspecify.annotations.NullMarked;
