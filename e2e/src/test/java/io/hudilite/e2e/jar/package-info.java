/**
 * Tests of the one file that users install. What is in it, and that it works with nothing of ours
 * beside it. Everything else tests classes in their modules.
 */
package io.hudilite.e2e.jar;
