// A proper library that nobody made a plug-in of.
extern "C" int foretell_something_else() { return 1; }
