"""Small programs, one construct or one meeting of constructs each, for `test_passes`."""
