"""What is done in the background: indexing, and later archiving and compressing."""
